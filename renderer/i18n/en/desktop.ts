/** What is outside of the window: notifications of the desktop. */
export const desktop = {
  expiry: {
    soon: 'Your login ends at {{time}}',
    over: 'Your login has ended',
    todo: 'Click to renew it in Causeway: {{instance}}',
  },
} as const
