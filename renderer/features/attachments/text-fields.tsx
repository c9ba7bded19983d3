import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentItem } from '../../../contract/attachments'
import { TextField } from '../../ui/text-field'
import { SeveralIds } from './several-ids'
import { type Typed, useSuggestions } from './use-attachments'

export const untyped: Typed = { title: '', address: '', description: '', videos: [], modules: [] }

export function typedOf({ title, address = '', description = '', videos, modules }: AttachmentItem): Typed {
  return { title, address, description, videos, modules }
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
    videos: [...videos],
    modules: [...modules],
  }
}

/**
 * Returns the title and the other texts that were edited: some servers don't know all of them. Somebody else may have changed what
 * is stored (`now`) since the form began with `before`: what wasn't edited here stays as it is.
 */
export function editedTexts(
  typed: Typed,
  before: Typed,
  now: Typed,
): { title: string } & Partial<ReturnType<typeof textsOf>> {
  const edited = textsOf(typed)
  const unedited = textsOf(before)
  const names = ['description', 'videos', 'modules'] as const
  const changed = names.filter((name) => JSON.stringify(edited[name]) !== JSON.stringify(unedited[name]))
  return {
    title: editedText('title', typed, before, now),
    ...Object.fromEntries(changed.map((name) => [name, edited[name]])),
  }
}

/** Returns a text as it was typed, or as it is stored now where it wasn't edited. */
export function editedText(name: 'title' | 'address', typed: Typed, before: Typed, now: Typed): string {
  return (typed[name] === before[name] ? now : typed)[name].trim()
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
  const suggestions = useSuggestions()
  const labels: Readonly<Record<keyof Typed, string>> = {
    title: t('attachments.add.titleField'),
    address: t('attachments.address'),
    description: t('attachments.add.description'),
    videos: t('attachments.videos'),
    modules: t('attachments.modules'),
  }
  return names.map((name) => {
    if (name === 'videos' || name === 'modules') {
      return (
        <SeveralIds
          key={name}
          label={labels[name]}
          placeholder={t('attachments.chooseOrType')}
          suggestions={suggestions[name]}
          chosen={typed[name]}
          onChange={(ids) => {
            onType({ ...typed, [name]: ids })
          }}
        />
      )
    }
    const common = {
      label: labels[name],
      value: typed[name],
      placeholder: name === 'address' ? t('attachments.add.addressHint') : '',
      dir: name === 'address' ? 'ltr' : 'auto',
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
