# Not needed after `pip install ./node_modules/causeway-mock-server/python`.
pytest_plugins = ["causeway_mock"]
