import { useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { organizationRoles } from '../../../contract/choices'
import { Choice } from '../../ui/choice'

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

/** Returns a function that names a role; an unknown role keeps the server's name. */
export function useRoleText(): (role: string) => string {
  const { t } = useTranslation()
  return useCallback(
    (role) => {
      const known = organizationRoles.find((candidate) => candidate === role)
      return known === undefined ? role : t(`organization.roles.${known}`)
    },
    [t],
  )
}
