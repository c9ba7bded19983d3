# Orca loads this file from its folder of preferences.
from orca import settings

settings.speechServerFactory = 'logging_speech'
settings.speechFactoryModules = ['logging_speech']
# Whether Orca has seen the window open before the page is loaded is a matter of chance.
settings.sayAllOnLoad = False
settings.pageSummaryOnLoad = False
