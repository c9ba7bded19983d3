import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { organizationRoles } from '../../../contract/choices'
import { Choice } from '../../ui/choice'
import { useRoleText } from './use-role-text'

/** Chooses a role. `current` is also offered, even if only the server knows it. */
export function RoleSelect({
  role,
  current,
  onChoose,
}: {
  readonly role: string
  readonly current?: string
  readonly onChoose: (role: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const roleText = useRoleText()
  const known: readonly string[] = organizationRoles
  const offered = current === undefined || known.includes(current) ? known : [current, ...known]
  return (
    <Choice
      label={t('organization.users.role')}
      options={offered.map((value) => ({ value, label: roleText(value) }))}
      value={role}
      onChoose={onChoose}
    />
  )
}
