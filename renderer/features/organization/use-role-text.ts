import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { organizationRoles } from '../../../contract/choices'

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
