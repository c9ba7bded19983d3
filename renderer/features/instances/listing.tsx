import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListLocation } from '../../../contract/organization-list'
import type { InstanceSlice } from '../../../contract/state'
import { useAppState, useCommand } from '../../store/context'
import { Choice } from '../../ui/choice'
import { ErrorNote } from '../../ui/error-note'
import { Copyable } from '../connection/copyable'
import styles from './instances.module.css'

/** The contacts of a service's help desk. */
export function HelpDesk({
  instanceId,
  listing: { name, supportContacts },
}: {
  readonly instanceId: string
  readonly listing: NonNullable<InstanceSlice['listing']>
}): ReactNode {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('directory.help.of', { name })} aria-live="polite" className={styles.contacts}>
      {supportContacts.map((contact) => (
        <li key={contact}>
          <Contact instanceId={instanceId} contact={contact} />
        </li>
      ))}
    </ul>
  )
}

/** The countries through which a service reaches the internet. */
export function LocationSelect({
  instanceId,
  location: { chosen, gone, choices },
}: {
  readonly instanceId: string
  readonly location: NonNullable<NonNullable<InstanceSlice['listing']>['location']>
}): ReactNode {
  const { t } = useTranslation()
  const { locale } = useAppState().wording
  const set = useCommand('setLocation')
  const isThere = choices.some(({ address }) => address === chosen.address)
  const all = gone === true || isThere ? choices : [chosen, ...choices]
  const collator = new Intl.Collator(locale)
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const data = all
    .map((each) => ({
      value: each.address,
      label: labelOf(each, all, names),
      name: countryName(each, names),
    }))
    .sort((one, other) => collator.compare(one.name, other.name))
    .map(({ value, label }) => ({ value, label }))
  return (
    <>
      <Choice
        label={t('directory.location.label')}
        description={t('directory.location.text')}
        error={gone === true ? t('directory.location.gone') : undefined}
        disabled={set.pending}
        value={gone === true ? '' : chosen.address}
        onChoose={(address) => void set.run({ instanceId, address })}
        options={
          gone === true
            ? [{ value: '', label: t('directory.location.choose'), disabled: true }, ...data]
            : data
        }
      />
      {set.error && <ErrorNote error={set.error} />}
    </>
  )
}

/** The country's name; with the host, where two are in one country. Fonts of Windows have no flags. */
function labelOf(location: ListLocation, all: readonly ListLocation[], names: Intl.DisplayNames): string {
  const isAlone = all.filter(({ countryCode }) => countryCode === location.countryCode).length === 1
  const name = countryName(location, names)
  return isAlone ? name : `${name} (${new URL(location.address).host})`
}

function countryName({ countryCode }: ListLocation, names: Intl.DisplayNames): string {
  return names.of(countryCode) ?? countryCode
}

/** Mail addresses and telephone numbers are copied, web pages opened. */
function Contact({
  instanceId,
  contact,
}: {
  readonly instanceId: string
  readonly contact: string
}): ReactNode {
  const open = useCommand('openSupportContact')
  const plain = /^(?:mailto|tel):(.*)$/i.exec(contact)?.[1]
  if (plain !== undefined) return <Copyable text={plain} />
  return (
    <>
      <Anchor
        component="button"
        inherit
        type="button"
        ta="start"
        onClick={() => void open.run({ instanceId, contact })}
      >
        <bdi dir="ltr">{contact.replace(/^https?:\/\//i, '').replace(/\/$/, '')}</bdi>
      </Anchor>
      {open.error && <ErrorNote error={open.error} />}
    </>
  )
}
