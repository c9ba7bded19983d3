import { Combobox, Text, TextInput, useCombobox } from '@mantine/core'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import styles from './choose-or-type.module.css'

export interface Suggestion<Value> {
  readonly value: Value
  readonly label: string
  /** Shown in small below the label. */
  readonly about?: string
}

/**
 * A field for one of the suggested values, or for another that is typed. Choosing applies at once: with the pointer, or with
 * Enter, which takes what is typed unless the arrow keys have moved on to a suggestion.
 */
export function ChooseOrType<Value>({
  options,
  typed,
  value = '',
  acceptsOnBlur = false,
  onChoose,
  ...props
}: {
  readonly label: string
  readonly placeholder?: string
  readonly options: readonly Suggestion<Value>[]
  /** Returns the readings of a text that is the label of none of the options. */
  readonly typed: (text: string) => readonly Suggestion<Value>[]
  /** The current value, if there is just one. */
  readonly value?: string
  /** Leaving the field takes what is typed. */
  readonly acceptsOnBlur?: boolean
  readonly onChoose: (value: Value) => void
}): ReactNode {
  const { combobox, asTyped, words, suggestions, ...field } = useTypedChoice({ options, typed, onChoose })
  return (
    <Combobox
      store={combobox}
      hideDetached={false}
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(index) => {
        field.choose(suggestions[Number(index)])
      }}
    >
      <Combobox.Target withExpandedAttribute autoComplete="off">
        <TextInput
          {...props}
          value={field.text ?? value}
          maxLength={1024}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          rightSectionProps={{ 'aria-hidden': true }}
          onChange={(event) => {
            field.type(event.currentTarget.value)
          }}
          onFocus={(event) => {
            // Typing replaces the value.
            event.currentTarget.select()
          }}
          onClick={() => {
            combobox.openDropdown()
          }}
          onBlur={(event) => {
            // The window lost the focus, not the field.
            if (document.activeElement === event.currentTarget) return
            if (acceptsOnBlur) field.choose(asTyped[0])
            else combobox.closeDropdown()
          }}
          onKeyDown={field.onKeyDown}
        />
      </Combobox.Target>
      <Suggestions label={props.label} suggestions={suggestions} takesFirst={words !== ''} />
    </Combobox>
  )
}

/** Returns the text of the field with what it may stand for, and what types, chooses and leaves it. */
function useTypedChoice<Value>({
  options,
  typed,
  onChoose,
}: {
  readonly options: readonly Suggestion<Value>[]
  readonly typed: (text: string) => readonly Suggestion<Value>[]
  readonly onChoose: (value: Value) => void
}) {
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
    },
  })
  /** Undefined while the field shows its value. */
  const [text, setText] = useState<string>()
  const words = text?.trim() ?? ''
  const { asTyped, suggestions } = suggestionsFor(words, options, typed)

  function choose(chosen: Suggestion<Value> | undefined): void {
    setText(undefined)
    combobox.closeDropdown()
    if (chosen !== undefined) onChoose(chosen.value)
  }

  function type(next: string): void {
    setText(next)
    combobox.resetSelectedOption()
    combobox.openDropdown()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const takes =
      event.key === 'Enter' &&
      words !== '' &&
      combobox.getSelectedOptionIndex() === -1 &&
      !event.nativeEvent.isComposing
    const leaves = event.key === 'Escape' && (combobox.dropdownOpened || text !== undefined)
    if (!takes && !leaves) return
    // Not for what is around it.
    event.preventDefault()
    choose(takes ? asTyped[0] : undefined)
  }

  return { combobox, text, words, asTyped, suggestions, choose, type, onKeyDown }
}

/** What is found, of which Enter takes the first as soon as something is typed. */
function Suggestions<Value>({
  label,
  suggestions,
  takesFirst,
}: {
  readonly label: string
  readonly suggestions: readonly Suggestion<Value>[]
  readonly takesFirst: boolean
}): ReactNode {
  return (
    <Combobox.Dropdown hidden={suggestions.length === 0}>
      <Combobox.Options aria-label={label} mah={220} style={{ overflowY: 'auto' }}>
        {suggestions.map(({ label: text, about }, index) => (
          <Combobox.Option
            key={`${text} ${about ?? ''}`}
            value={String(index)}
            className={takesFirst && index === 0 ? styles.taken : undefined}
          >
            <bdi>{text}</bdi>
            {about !== undefined && (
              <Text size="xs" c="dimmed">
                {about}
              </Text>
            )}
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}

/** Returns what the text may stand for, and all to choose from, that first. */
function suggestionsFor<Value>(
  words: string,
  options: readonly Suggestion<Value>[],
  typed: (text: string) => readonly Suggestion<Value>[],
): {
  readonly asTyped: readonly Suggestion<Value>[]
  readonly suggestions: readonly Suggestion<Value>[]
} {
  const same = options.filter(({ label }) => label === words)
  const asTyped = words === '' || same.length > 0 ? same : typed(words)
  const others = options.filter(
    (each) => !same.includes(each) && each.label.toLowerCase().includes(words.toLowerCase()),
  )
  return { asTyped, suggestions: [...asTyped, ...others] }
}
