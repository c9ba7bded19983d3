/** Paths of the parts of the mock below its origin. */
export const paths = {
  apiBase: '/api/vpn',
  api3Base: '/api/v3',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  discovery: '/discovery',
  attachments: '/v2.0.0',
  storage: '/storage',
  control: '/_mock',
} as const
