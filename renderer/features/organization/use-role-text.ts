import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { organizationRoles } from '../../../contract/choices'

/** Says a role in the person's language; one that only the server knows as it says it. */
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
