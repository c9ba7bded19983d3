import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown, IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface MenuEntry {
  readonly key: string
  readonly label: ReactNode
  /** For a choice: whether it is the current one. */
  readonly chosen?: boolean | undefined
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
      position="bottom-end"
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
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {entries.map(({ key, label: text, chosen, onChoose }) =>
          chosen === undefined ? (
            <Menu.Item key={key} onClick={onChoose}>
              {text}
            </Menu.Item>
          ) : (
            <Menu.RadioItem
              key={key}
              value={key}
              checked={chosen}
              closeMenuOnClick
              checkIcon={<IconCheck size={16} aria-hidden />}
              onChange={onChoose}
            >
              {text}
            </Menu.RadioItem>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
