"""`python -m dockyard_session --tool MODULE`."""

from dockyard_session.session import main

if __name__ == "__main__":
    raise SystemExit(main())
