import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import { TextField } from '../../ui/text-field'

/**
 * For an instance that doesn't know Causeway: takes the client ID that its administrator assigned, and logs in with
 * it.
 */
export function ClientIdForm({ instanceId }: { readonly instanceId: string }): ReactNode {
  const { t } = useTranslation()
  const [clientId, setClientId] = useState('')
  const save = useCommand('setInstanceSettings')
  const logIn = useCommand('logIn')
  const isInvalid = save.error?.code === 'usage/invalid-argument'

  async function submit(): Promise<void> {
    const result = await save.run({ instanceId, clientId })
    if (result.ok) await logIn.run({ instanceId })
  }

  return (
    <CommandForm
      command={save}
      isReady={clientId.trim() !== ''}
      fieldError={isInvalid}
      submit={t('instance.useClientId')}
      variant="default"
      onSubmit={submit}
    >
      <TextField
        label={t('settings.instance.clientId')}
        dir="ltr"
        value={clientId}
        maxLength={4096}
        verbatim
        error={isInvalid ? t('settings.instance.invalid.clientId') : undefined}
        onType={setClientId}
      />
    </CommandForm>
  )
}
