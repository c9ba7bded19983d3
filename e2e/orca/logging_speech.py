"""Speech for Orca that writes each utterance as a line of a file instead of speaking it."""

import os

from orca import speechserver

log = open(os.environ['CAUSEWAY_SPOKEN'], 'a', buffering=1, encoding='utf-8')


class SpeechServer(speechserver.SpeechServer):
    only = None

    @staticmethod
    def getFactoryName():
        return 'Log'

    @staticmethod
    def getSpeechServers():
        return [SpeechServer.getSpeechServer()]

    @staticmethod
    def getSpeechServer(info=None):
        if SpeechServer.only is None:
            SpeechServer.only = SpeechServer()
        return SpeechServer.only

    @staticmethod
    def shutdownActiveServers():
        pass

    def getInfo(self):
        return ['Log', 'log']

    def getVoiceFamilies(self):
        return []

    def speak(self, text=None, acss=None, interrupt=True):
        if text:
            log.write(text.replace('\n', ' ') + '\n')

    def speakCharacter(self, character, acss=None):
        log.write(character + '\n')

    def sayAll(self, utteranceIterator, progressCallback):
        for context, acss in utteranceIterator:
            log.write(context.utterance.replace('\n', ' ') + '\n')
