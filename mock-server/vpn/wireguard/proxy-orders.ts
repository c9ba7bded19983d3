/** The faults of the ProxyGuard server itself. */
export const proxyFaults = ['answers-200', 'answers-401', 'answers-502', 'closes', 'stalls'] as const
export type ProxyFault = (typeof proxyFaults)[number]

export interface ProxyIdentity {
  cert: string
  key: string
}

/** A line of JSON to the process of the ProxyGuard server: where to listen and with what, or what to do wrong. */
export type ProxyOrder =
  { port: number; wireguardPort: number; identity: ProxyIdentity } | { fault: ProxyFault | null }
