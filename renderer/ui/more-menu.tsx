import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown, IconDots } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import styles from './more-menu.module.css'

export interface MenuEntry {
  readonly key: string
  readonly label: ReactNode
  /** For a choice: whether it is the current one. */
  readonly chosen?: boolean | undefined
  /** The shortcut that does the same. */
  readonly keys?: string
  /** Takes something away. */
  readonly danger?: true
  /** A line parts it from the entries before it. */
  readonly startsGroup?: true
  readonly onChoose: () => void
}

/** A button that opens a menu: with three dots and the text as its name, or with other content. */
export function MoreMenu({
  label,
  entries,
  looks = 'dots',
  className,
  children,
}: {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** `dots`: an icon; `plain`: `children`, as a line of text. */
  readonly looks?: 'dots' | 'plain'
  readonly className?: string | undefined
  readonly children?: ReactNode
}): ReactNode {
  return (
    <Menu
      position={looks === 'dots' ? 'bottom-end' : 'bottom-start'}
      shadow="sm"
      hideDetached={false}
      loop={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        {looks === 'dots' ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={label}
            title={label}
            className={className}
          >
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        ) : (
          <button type="button" aria-label={label} className={className}>
            {children}
            <IconChevronDown size={16} aria-hidden />
          </button>
        )}
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {entries.map(({ key, label: text, chosen, keys, danger, startsGroup, onChoose }) => (
          <Fragment key={key}>
            {startsGroup && <Menu.Divider />}
            {chosen === undefined ? (
              <Menu.Item
                data-danger={danger}
                onClick={onChoose}
                rightSection={
                  keys !== undefined && (
                    <kbd aria-hidden className={styles.keys}>
                      {keys}
                    </kbd>
                  )
                }
              >
                {text}
              </Menu.Item>
            ) : (
              <Menu.RadioItem
                value={key}
                checked={chosen}
                closeMenuOnClick
                checkIcon={<IconCheck size={16} aria-hidden />}
                onChange={onChoose}
              >
                {text}
              </Menu.RadioItem>
            )}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
