/**
 * The channels under which the bridge speaks; private to preload/ and main/shell/. Apart from the contract, so that
 * the preload script is not bundled with the schemas.
 */
export const channels = {
  command: 'causeway:command',
  offerFiles: 'causeway:offer-files',
  state: 'causeway:state',
  painted: 'causeway:painted',
  stateChanged: 'causeway:state-changed',
  connectionNews: 'causeway:connection-news',
} as const
