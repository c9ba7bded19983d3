import { useTranslation } from 'react-i18next'
import type { ErrorReport } from '../../contract/error-codes'
import { type ErrorText, errorText } from '../../contract/error-text'
import type { Texts } from '../../contract/locales/texts'

/** Returns what gives the text of an error in the user's language. */
export function useErrorTexts(): (error: Pick<ErrorReport, 'code' | 'variant' | 'details'>) => ErrorText {
  const { i18n } = useTranslation()
  const texts = i18n.getResourceBundle(i18n.resolvedLanguage ?? i18n.language, 'translation') as Texts
  return (error) => errorText(error, texts, { locale: i18n.language })
}

/** Returns the text of an error in the user's language. */
export function useErrorText(error: ErrorReport): ErrorText {
  return useErrorTexts()(error)
}
