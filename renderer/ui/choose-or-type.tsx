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
 * A field for one of the values that were seen, or for another that is typed. Choosing applies at once: with the pointer, or with
 * Enter, which takes what is typed unless the arrow keys have moved on to a suggestion.
 */
export function ChooseOrType<Value>({
  seen,
  typed,
  shown = '',
  acceptsOnBlur = false,
  onChoose,
  ...props
}: {
  readonly label: string
  readonly placeholder?: string
  readonly seen: readonly Suggestion<Value>[]
  /** Returns the readings of a text that is the label of none of the seen values. */
  readonly typed: (text: string) => readonly Suggestion<Value>[]
  /** The current value, if there is just one. */
  readonly shown?: string
  /** Leaving the field takes what is typed. */
  readonly acceptsOnBlur?: boolean
  readonly onChoose: (value: Value) => void
}): ReactNode {
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
    },
  })
  /** Undefined while the field shows its value. */
  const [text, setText] = useState<string>()
  const words = text?.trim() ?? ''
  const same = seen.filter(({ label }) => label === words)
  const asTyped = words === '' || same.length > 0 ? same : typed(words)
  const others = seen.filter(
    (each) => !same.includes(each) && each.label.toLowerCase().includes(words.toLowerCase()),
  )
  const suggestions = [...asTyped, ...others]

  function choose(chosen: Suggestion<Value> | undefined): void {
    setText(undefined)
    combobox.closeDropdown()
    if (chosen !== undefined) onChoose(chosen.value)
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

  return (
    <Combobox
      store={combobox}
      hideDetached={false}
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(index) => {
        choose(suggestions[Number(index)])
      }}
    >
      <Combobox.Target withExpandedAttribute autoComplete="off">
        <TextInput
          {...props}
          value={text ?? shown}
          maxLength={1024}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          rightSectionProps={{ 'aria-hidden': true }}
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.resetSelectedOption()
            combobox.openDropdown()
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
            if (acceptsOnBlur) choose(asTyped[0])
            else combobox.closeDropdown()
          }}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={suggestions.length === 0}>
        <Combobox.Options aria-label={props.label} mah={220} style={{ overflowY: 'auto' }}>
          {suggestions.map(({ label, about }, index) => (
            <Combobox.Option
              key={`${label} ${about ?? ''}`}
              value={String(index)}
              className={words !== '' && index === 0 ? styles.taken : undefined}
            >
              <bdi>{label}</bdi>
              {about !== undefined && (
                <Text size="xs" c="dimmed">
                  {about}
                </Text>
              )}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
