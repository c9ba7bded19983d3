import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createNetworkEvents, type NetworkEvent, type NetworkEvents } from './network-events'
import { trackDefaultRoutes } from './default-routes'
import { readWindowsDefaultRoutes } from './windows-default-routes'

/**
 * Returns a script that waits for the events of .NET's NetworkChange until a burst ends, and writes the default routes as
 * one line of JSON; it ends with the parent process. It contains no quotation marks, because it is one word of a command
 * line.
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
 * Reports network events on Windows: one PowerShell waits for them while there is a listener. Without PowerShell, or where
 * it may not run scripts, there are no events.
 *
 * @param command a program that writes the lines for readWindowsDefaultRoutes: one at its start, and one after each change
 */
export function windowsNetworkEvents(
  command: () => readonly [string, ...string[]] = powershell,
): NetworkEvents {
  return createNetworkEvents((listener, signal) => follow(command(), listener, signal))
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
  const track = trackDefaultRoutes(listener, signal)
  const lines = createInterface({ input: watcher.stdout })
  lines.on('line', (line) => {
    track(readWindowsDefaultRoutes(line))
  })
  await once(lines, 'close')
  await watcher
}
