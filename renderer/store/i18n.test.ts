import { expect, it } from 'vitest'
import { changeWording, createI18n } from './i18n'
import { englishTexts, loadTexts } from '../../contract/locales/texts'

it('isolates inserted values in right-to-left sentences only', async () => {
  const i18n = createI18n({
    language: 'en',
    locale: 'en',
    direction: 'ltr',
    texts: JSON.stringify(englishTexts),
  })
  const instance = 'vpn.example.org/<b>&'
  expect(i18n.t('messages.from', { instance })).toBe(`Message from ${instance}`)
  changeWording(i18n, {
    language: 'ar',
    locale: 'ar',
    direction: 'rtl',
    texts: JSON.stringify(await loadTexts('ar')),
  })
  expect(i18n.t('messages.from', { instance })).toContain(`\u2068${instance}\u2069`)
})
