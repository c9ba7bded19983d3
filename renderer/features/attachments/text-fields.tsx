import { Textarea } from '@mantine/core'
import { Fragment, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentItem } from '../../../contract/attachments'
import { TextField } from '../../ui/text-field'
import { useAttachments } from './attachments-store'

/** Texts of an attachment as typed. */
export interface Typed {
  readonly title: string
  readonly address: string
  readonly description: string
  readonly videos: string
  readonly modules: string
}

export const untyped: Typed = { title: '', address: '', description: '', videos: '', modules: '' }

export function typedOf({ title, address = '', description = '', videos, modules }: AttachmentItem): Typed {
  return { title, address, description, videos: idsText(videos), modules: idsText(modules) }
}

/** Converts typed texts to the contract's, without the address. */
export function textsOf({ title, description, videos, modules }: Typed): {
  title: string
  description: string
  videos: string[]
  modules: string[]
} {
  return {
    title: title.trim(),
    description: description.trim(),
    videos: idsIn(videos),
    modules: idsIn(modules),
  }
}

/** Returns the title and the other texts that were edited: some servers don't know all of them. */
export function changedTexts(
  typed: Typed,
  before: AttachmentItem,
): { title: string } & Partial<ReturnType<typeof textsOf>> {
  const { title, ...now } = textsOf(typed)
  const { title: _, ...then } = textsOf(typedOf(before))
  const names = ['description', 'videos', 'modules'] as const
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(then[name]))
  return { title, ...Object.fromEntries(changed.map((name) => [name, now[name]])) }
}

/** Fields for these texts. */
export function TextFields({
  names,
  typed,
  onType,
}: {
  readonly names: readonly (keyof Typed)[]
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
}): ReactNode {
  const { t } = useTranslation()
  const { seen } = useAttachments().browsing
  const listId = useId()
  const labels: Readonly<Record<keyof Typed, string>> = {
    title: t('attachments.add.titleField'),
    address: t('attachments.address'),
    description: t('attachments.add.description'),
    videos: t('attachments.videos'),
    modules: t('attachments.modules'),
  }
  const hints: Partial<Record<keyof Typed, string>> = {
    address: t('attachments.add.addressHint'),
    videos: t('attachments.several'),
    modules: t('attachments.several'),
  }
  return names.map((name) => {
    const common = {
      label: labels[name],
      value: typed[name],
      placeholder: hints[name] ?? '',
      ...(name === 'address' && { dir: 'ltr' }),
      ...((name === 'title' || name === 'description') && { dir: 'auto' }),
    }
    if (name === 'description') {
      return (
        <Textarea
          key={name}
          {...common}
          rows={3}
          resize="vertical"
          maxLength={5000}
          onChange={(event) => {
            onType({ ...typed, [name]: event.currentTarget.value })
          }}
        />
      )
    }
    if (name === 'videos' || name === 'modules') {
      return (
        <Fragment key={name}>
          <TextField
            {...common}
            list={`${listId}${name}`}
            maxLength={2048}
            verbatim
            onType={(text) => {
              onType({ ...typed, [name]: text })
            }}
          />
          <Suggestions id={`${listId}${name}`} typed={typed[name]} known={seen[name]} />
        </Fragment>
      )
    }
    return (
      <TextField
        key={name}
        {...common}
        required
        maxLength={2048}
        spellCheck={name === 'title'}
        autoComplete="off"
        onType={(text) => {
          onType({ ...typed, [name]: text })
        }}
      />
    )
  })
}

/** Completions of the last of several ids: those that the lists have shown. */
function Suggestions({
  id,
  typed,
  known,
}: {
  readonly id: string
  readonly typed: string
  readonly known: readonly string[]
}): ReactNode {
  const before = idsIn(typed.slice(0, typed.lastIndexOf(',') + 1))
  return (
    <datalist id={id}>
      {known
        .filter((each) => !before.includes(each))
        .map((each) => (
          <option key={each} value={idsText([...before, each])} />
        ))}
    </datalist>
  )
}

/** Splits a text into ids at commas, including Arabic and Japanese ones. Removes duplicates. */
function idsIn(text: string): string[] {
  return [...new Set(text.split(/[,،、，]/).map((id) => id.trim()))].filter((id) => id !== '')
}

function idsText(ids: readonly string[]): string {
  return ids.join(', ')
}
