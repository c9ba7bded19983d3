import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhichOrganization } from '../../../contract/organizations'
import styles from './organization.module.css'
import { useOrganization } from './use-organization'

/** Shows an organization by number or name: services have no list of organizations. */
export function ChooseOrganization(): ReactNode {
  const { t } = useTranslation()
  const { store, browsing } = useOrganization()
  const [by, setBy] = useState<'id' | 'name'>('name')
  const [typed, setTyped] = useState('')
  const which = whichOf(by, typed)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (which !== undefined) store.show(which)
      }}
    >
      <h2>{t('organization.other.title')}</h2>
      <NativeSelect
        label={t('organization.other.what')}
        data={[
          { value: 'name', label: t('organization.other.nameOption') },
          { value: 'id', label: t('organization.other.numberOption') },
        ]}
        value={by}
        onChange={(event) => {
          setBy(event.currentTarget.value === 'id' ? 'id' : 'name')
        }}
      />
      <TextInput
        label={by === 'id' ? t('organization.other.numberLabel') : t('organization.other.nameLabel')}
        inputMode={by === 'id' ? 'numeric' : 'text'}
        value={typed}
        maxLength={1024}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" disabled={which === undefined}>
          {t('organization.other.show')}
        </Button>
        {browsing.which.by !== 'current' && (
          <Button
            variant="default"
            onClick={() => {
              store.show({ by: 'current' })
            }}
          >
            {t('organization.showCurrent')}
          </Button>
        )}
      </div>
    </form>
  )
}

function whichOf(by: 'id' | 'name', typed: string): WhichOrganization | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  if (by === 'name') return { by, name: text }
  return /^\d{1,20}$/.test(text) ? { by, orgId: text } : undefined
}
