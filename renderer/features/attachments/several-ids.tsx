import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ChooseOrType } from '../../ui/choose-or-type'
import styles from './attachments.module.css'

/** Adds an id to the chosen ones, which are below it and can be taken away. */
export function SeveralIds({
  label,
  placeholder,
  suggestions,
  chosen,
  onChange,
}: {
  readonly label: string
  readonly placeholder: string
  /** The ids that the lists have shown. */
  readonly suggestions: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}): ReactNode {
  const { t } = useTranslation()
  return (
    <div className={styles.several}>
      <ChooseOrType
        label={label}
        placeholder={placeholder}
        options={suggestions.filter((id) => !chosen.includes(id)).map(asSuggestion)}
        typed={(id) => [asSuggestion(id)]}
        acceptsOnBlur
        onChoose={(id) => {
          onChange([...new Set([...chosen, id])])
        }}
      />
      {chosen.map((id) => (
        <Button
          key={id}
          variant="default"
          size="compact-sm"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={t('attachments.leaveOutId', { id })}
          onClick={() => {
            onChange(chosen.filter((other) => other !== id))
          }}
        >
          <bdi>{id}</bdi>
        </Button>
      ))}
    </div>
  )
}

export function asSuggestion(id: string): { readonly value: string; readonly label: string } {
  return { value: id, label: id }
}
