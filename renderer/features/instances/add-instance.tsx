import { Button, TextInput } from '@mantine/core'
import { useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './instances.module.css'

/** Takes an address and adds its instance. `onDone` is called when it is added, or not wanted after all. */
export function AddInstance({
  onDone,
  field,
}: {
  readonly onDone?: () => void
  /** For the element that takes the address. */
  readonly field?: RefObject<HTMLInputElement | null>
}): ReactNode {
  const { t } = useTranslation()
  const [address, setAddress] = useState('')
  const add = useCommand('addInstance')

  async function submit(): Promise<void> {
    const result = await add.run({ address })
    if (result.ok) onDone?.()
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.pending) void submit()
      }}
    >
      <TextInput
        ref={field}
        label={t('instance.address')}
        description={t('instance.addressHint')}
        size="md"
        dir="ltr"
        value={address}
        maxLength={2048}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => {
          setAddress(event.currentTarget.value)
        }}
      />
      {add.error && <ErrorNote error={add.error} />}
      <div className={styles.buttons}>
        <Button type="submit" size="md" loading={add.pending}>
          {t('instance.add')}
        </Button>
        {onDone && (
          <Button variant="subtle" size="md" onClick={onDone}>
            {t('instance.notNow')}
          </Button>
        )}
      </div>
    </form>
  )
}
