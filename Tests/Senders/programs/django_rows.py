"""A Django project with a table of devices, for the programs whose library keeps one."""

import django
from django.conf import settings
from django.core.management import call_command


def configure(app: str, **more) -> None:
    settings.configure(
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", app],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}, **more)
    django.setup()
    call_command("migrate", verbosity=0)
