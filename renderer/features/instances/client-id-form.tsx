import { Button, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './instances.module.css'

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
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.pending && clientId.trim() !== '') void submit()
      }}
    >
      <TextInput
        label={t('settings.instance.clientId')}
        dir="ltr"
        value={clientId}
        maxLength={4096}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        error={isInvalid ? t('settings.instance.invalid.clientId') : undefined}
        onChange={(event) => {
          setClientId(event.currentTarget.value)
        }}
      />
      {save.error && !isInvalid && <ErrorNote error={save.error} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="default" loading={save.pending}>
          {t('instance.useClientId')}
        </Button>
      </div>
    </form>
  )
}
