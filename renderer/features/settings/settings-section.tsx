import type { ReactNode } from 'react'
import page from '../../ui/page.module.css'

/** The sections in their order. */
export const sectionNames = [
  'general',
  'connection',
  'apps',
  'instances',
  'lists',
  'support',
  'about',
] as const
export type SectionName = (typeof sectionNames)[number]

/** Returns the id of a section's heading, which takes the focus when the section is chosen. */
export function headingId(name: SectionName): string {
  return `settings-${name}`
}

/** A group of settings with its heading. */
export function SettingsSection({
  name,
  title,
  children,
}: {
  readonly name: SectionName
  readonly title: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className={page.card} aria-labelledby={headingId(name)}>
      <h2 id={headingId(name)} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
