import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './page.module.css'

/** Placeholder of an empty view: what will be here, and how. */
export function Empty({
  icon: EmptyIcon,
  children,
}: {
  readonly icon: Icon
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={styles.empty}>
      <EmptyIcon size={32} stroke={1.5} aria-hidden />
      {children}
    </div>
  )
}

/** Placeholder of a view before the first service was added, with the way to add one. */
export function NoService({ icon, text }: { readonly icon: Icon; readonly text: string }): ReactNode {
  const { t } = useTranslation()
  return (
    <Empty icon={icon}>
      <p>{text}</p>
      <Button component="a" href="#connection">
        {t('instance.addService')}
      </Button>
    </Empty>
  )
}
