import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { NetworkEvent, NetworkEvents } from './network-events'
import { eventBetween, type DefaultRoutes } from './default-routes'
import { readWindowsWaysOut } from './windows-default-routes'

/**
 * Waits for the events of .NET's NetworkChange, lets a burst of them pass, and writes the default routes as one line of
 * JSON; it ends with the process of the given number. No quotation marks: it is one word of a command line.
 */
function script(parent: number): string {
  return `
$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$parent = [Diagnostics.Process]::GetProcessById(${parent})
$parent.EnableRaisingEvents = $true
Register-ObjectEvent -InputObject $parent -EventName Exited -SourceIdentifier Parent
$change = [Net.NetworkInformation.NetworkChange]
Register-ObjectEvent -InputObject $change -EventName NetworkAddressChanged -SourceIdentifier Address
Register-ObjectEvent -InputObject $change -EventName NetworkAvailabilityChanged -SourceIdentifier Availability
while (-not $parent.HasExited) {
  $kinds = @{}
  Get-NetAdapter -IncludeHidden -ErrorAction SilentlyContinue | ForEach-Object { $kinds[[int]$_.ifIndex] = $_.InterfaceDescription }
  $routes = @(Get-NetRoute -PolicyStore ActiveStore -DestinationPrefix '0.0.0.0/0', '::/0' -ErrorAction SilentlyContinue | ForEach-Object {
    $isFour = $_.DestinationPrefix -eq '0.0.0.0/0'
    $address = $null
    if ($isFour) { $address = (Get-NetIPAddress -InterfaceIndex $_.ifIndex -AddressFamily IPv4 -ErrorAction SilentlyContinue | Select-Object -First 1).IPAddress }
    @{
      family = $(if ($isFour) { 4 } else { 6 })
      device = [string]$_.InterfaceAlias
      description = $kinds[[int]$_.ifIndex]
      gateway = [string]$_.NextHop
      metric = [int]$_.RouteMetric + [int]$_.InterfaceMetric
      address = $address
    }
  })
  [Console]::Out.WriteLine((ConvertTo-Json -Compress -Depth 3 -InputObject @{ routes = $routes }))
  [void](Wait-Event)
  Start-Sleep -Milliseconds 300
  Get-Event | Remove-Event
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

/**
 * The network as Windows tells of it: one PowerShell waits for its events while somebody watches. Without PowerShell, or
 * where it may not run scripts, there are no events.
 *
 * @param command what writes the lines that readWindowsWaysOut reads: one at its start, and one after each change
 */
export function windowsNetworkEvents(
  command: () => readonly [string, ...string[]] = powershell,
): NetworkEvents {
  return {
    watch: (listener) => {
      const stop = new AbortController()
      void follow(command(), listener, stop.signal)
      return () => {
        stop.abort()
      }
    },
  }
}

async function follow(
  [program, ...words]: readonly [string, ...string[]],
  listener: (event: NetworkEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { execa } = await import('execa')
  const watcher = execa(program, words, {
    stdin: 'ignore',
    stderr: 'ignore',
    buffer: false,
    reject: false,
    windowsHide: true,
    cancelSignal: signal,
  })
  let known: DefaultRoutes | undefined
  const lines = createInterface({ input: watcher.stdout })
  lines.on('line', (line) => {
    const found = readWindowsWaysOut(line)
    if (signal.aborted || found === undefined) return
    const event = known === undefined ? undefined : eventBetween(known, found)
    known = found
    if (event !== undefined) listener(event)
  })
  await once(lines, 'close')
  await watcher
}
