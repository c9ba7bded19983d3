import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { CommandButton } from '../../ui/command-button'

/** The button that installs the helper, where the app can; `onInstalled` is called after that. */
export function InstallHelper({ onInstalled }: { readonly onInstalled?: () => void }): ReactNode {
  const { t } = useTranslation()
  const { helper } = useAppState()
  if (helper !== 'installable') return null
  return (
    <div>
      <CommandButton command="installHelper" input={undefined} onDone={onInstalled}>
        {t('connection.installHelper')}
      </CommandButton>
    </div>
  )
}
