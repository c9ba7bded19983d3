import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { TrafficCounters, TrafficSource } from './traffic-source'

/** Idle time in milliseconds after which the PowerShell ends. */
const idleMs = 5000

/**
 * Returns a script that writes the counters of the device named in its environment once a second, as one line of JSON; it
 * ends with the parent process. It contains no quotation marks, because it is one word of a command line.
 */
function script(parent: number): string {
  return `
$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$parent = [Diagnostics.Process]::GetProcessById(${parent})
while (-not $parent.HasExited) {
  $found = @(Get-NetAdapterStatistics -IncludeHidden -ErrorAction SilentlyContinue | Where-Object { $_.Name -eq $env:CAUSEWAY_DEVICE } | Select-Object -First 1 -Property ReceivedBytes, SentBytes)
  [Console]::Out.WriteLine((ConvertTo-Json -Compress -InputObject $found))
  Start-Sleep -Milliseconds 1000
}
`
}

function powershell(): [string, ...string[]] {
  const root = process.env.SystemRoot ?? 'C:\\Windows'
  return [
    `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
    ...['-NoProfile', '-NoLogo', '-NonInteractive', '-InputFormat', 'None'],
    ...['-Command', script(process.pid)],
  ]
}

const statistics = z.array(z.object({ ReceivedBytes: z.number(), SentBytes: z.number() })).max(1)

/** Reads a line of the script; undefined if it found no such device. */
export function readStatistics(
  line: string,
): { readonly received: number; readonly sent: number } | undefined {
  try {
    const [found] = statistics.parse(JSON.parse(line))
    return found === undefined ? undefined : { received: found.ReceivedBytes, sent: found.SentBytes }
  } catch {
    return undefined
  }
}

/**
 * Reads counters through one PowerShell that keeps running until no reading is requested for 5 s, because starting it takes
 * longer than a reading. Devices outlive their tunnels on Windows, so counters do not start with the tunnel.
 *
 * @param command a program that writes the lines for readStatistics, with CAUSEWAY_DEVICE in its environment
 */
export function windowsTraffic(
  command: () => readonly [string, ...string[]] = powershell,
  now: () => number = Date.now,
): TrafficSource {
  let reader: Reader | undefined
  return {
    fromZero: false,
    read: async (device) => {
      if (reader?.device !== device || reader.ended) {
        reader?.end()
        reader = new Reader(device, command(), now)
      }
      return reader.latest()
    },
  }
}

/** A running PowerShell. */
class Reader {
  readonly device: string
  ended = false
  readonly #stop = new AbortController()
  readonly #first: Promise<void>
  #counters: TrafficCounters | undefined
  #idleTimer: NodeJS.Timeout | undefined

  constructor(device: string, command: readonly [string, ...string[]], now: () => number) {
    this.device = device
    this.#first = this.#follow(command, now)
  }

  /** Resolves at the first line, or at the end. */
  async #follow([program, ...words]: readonly [string, ...string[]], now: () => number): Promise<void> {
    const { execa } = await import('execa')
    const shell = execa(program, words, {
      env: { CAUSEWAY_DEVICE: this.device },
      stdin: 'ignore',
      stderr: 'ignore',
      buffer: false,
      reject: false,
      windowsHide: true,
      cancelSignal: this.#stop.signal,
    })
    const lines = createInterface({ input: shell.stdout })
    return new Promise((resolve) => {
      lines.on('line', (line) => {
        const counted = readStatistics(line)
        this.#counters = counted === undefined ? undefined : { at: now(), ...counted }
        resolve()
      })
      lines.on('close', () => {
        this.ended = true
        this.#counters = undefined
        resolve()
      })
    })
  }

  async latest(): Promise<TrafficCounters | undefined> {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => {
      this.end()
    }, idleMs).unref()
    await this.#first
    return this.#counters
  }

  end(): void {
    this.ended = true
    clearTimeout(this.#idleTimer)
    this.#stop.abort()
  }
}
