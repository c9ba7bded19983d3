import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import { loadedLater } from '../../ui/loaded-later'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import type { WayToAdd } from './find-organization'

/** Its list of results needs a seventh of the page's script, and most starts don't show it. */
const FindOrganization = loadedLater(async () => (await import('./find-organization')).FindOrganization)

/** Takes an address and adds its instance. */
export function AddInstance({
  onDone,
  field,
}: {
  /** Called with the id of the added instance, or without one if the user changed their mind. */
  readonly onDone?: (instanceId?: string) => void
  /** Ref of the address field. */
  readonly field?: RefObject<HTMLInputElement | null>
}): ReactNode {
  const { t } = useTranslation()
  const { organizationSearch } = useAppState()
  const [way, setWay] = useState<'organization' | 'address'>()
  const own = useRef<HTMLInputElement>(null)
  const input = field ?? own
  useEffect(() => {
    // After switching, the user continues to type there.
    if (way !== undefined) input.current?.focus()
  }, [way, input])
  const byOrganization = organizationSearch.available && way !== 'address'
  const other = byOrganization ? 'address' : 'organization'
  const others = (
    <>
      {organizationSearch.available && (
        <Button
          variant="subtle"
          {...(byOrganization ? { className: page.textAtStart } : {})}
          onClick={() => {
            setWay(other)
          }}
        >
          {t(byOrganization ? 'directory.byAddress' : 'directory.bySearch')}
        </Button>
      )}
      {onDone && (
        <Button
          variant="subtle"
          onClick={() => {
            onDone()
          }}
        >
          {t('instance.notNow')}
        </Button>
      )}
    </>
  )
  return byOrganization ? (
    <FindOrganization field={input} onDone={onDone}>
      {others}
    </FindOrganization>
  ) : (
    <AddByAddress field={input} onDone={onDone}>
      {others}
    </AddByAddress>
  )
}

function AddByAddress({ field, onDone, children }: WayToAdd): ReactNode {
  const { t } = useTranslation()
  const [address, setAddress] = useState('')
  const add = useCommand('addInstance')

  async function submit(): Promise<void> {
    const result = await add.run({ address })
    if (result.ok) onDone?.(result.value.instanceId)
  }

  return (
    <CommandForm command={add} submit={t('instance.add')} buttons={children} onSubmit={submit}>
      <TextField
        ref={field}
        label={t('instance.address')}
        description={t('instance.addressHint')}
        dir="ltr"
        value={address}
        maxLength={2048}
        verbatim
        onType={setAddress}
      />
    </CommandForm>
  )
}
