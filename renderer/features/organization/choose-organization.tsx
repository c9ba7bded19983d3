import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhichOrganization } from '../../../contract/organizations'
import { Choice } from '../../ui/choice'
import { CommandForm } from '../../ui/command-form'
import { TextField } from '../../ui/text-field'
import { useOrganization } from './organization-store'

/** Shows an organization by number or name: services have no list of organizations. */
export function ChooseOrganization(): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const [by, setBy] = useState<'id' | 'name'>('name')
  const [typed, setTyped] = useState('')
  const which = whichOf(by, typed)
  return (
    <CommandForm
      title={t('organization.other.title')}
      isReady={which !== undefined}
      submit={t('organization.other.show')}
      buttons={browsing.which.by !== 'current' && <ShowCurrent />}
      onSubmit={() => {
        if (which !== undefined) store.show(which)
      }}
    >
      <Choice
        label={t('organization.other.what')}
        options={[
          { value: 'name', label: t('organization.other.nameOption') },
          { value: 'id', label: t('organization.other.numberOption') },
        ]}
        value={by}
        onChoose={setBy}
      />
      <TextField
        label={by === 'id' ? t('organization.other.numberLabel') : t('organization.other.nameLabel')}
        inputMode={by === 'id' ? 'numeric' : 'text'}
        value={typed}
        maxLength={1024}
        onType={setTyped}
      />
    </CommandForm>
  )
}

/** Button that goes back to the caller's own organization. */
export function ShowCurrent(): ReactNode {
  const { t } = useTranslation()
  const { store } = useOrganization()
  return (
    <Button
      variant="default"
      onClick={() => {
        store.show({ by: 'current' })
      }}
    >
      {t('organization.showCurrent')}
    </Button>
  )
}

function whichOf(by: 'id' | 'name', typed: string): WhichOrganization | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  if (by === 'name') return { by, name: text }
  return /^\d{1,20}$/.test(text) ? { by, orgId: text } : undefined
}
