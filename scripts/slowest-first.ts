import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Test files that take longest, slowest first. They start first, so that the run does not end waiting for one of them.
 * A clean clone has no measurements, and Vitest would start with the largest files.
 */
export const slowest = [
  'main/cli/kills.test.ts',
  'main/cli/background.test.ts',
  'main/cli/one-tunnel.test.ts',
  'main/cli/faults.test.ts',
  'main/cli/pkexec.test.ts',
  'main/cli/ending.test.ts',
  'mock-server/cli.test.ts',
  'mock-server/vpn/tunnel/tunnel.test.ts',
  'main/tunnel/openvpn/helper-refusals.test.ts',
  'mock-server/vpn/tunnel/tunnel-control.test.ts',
  'main/app/connecting-refusals.test.ts',
  'main/tunnel/openvpn/start-tunnel.test.ts',
  'main/tunnel/openvpn/helper-tunnel.test.ts',
  'mock-server/fuzz.test.ts',
  'mock-server/control/scenarios.test.ts',
  'mock-server/state/kill.test.ts',
]

/** Runs the slowest test files first. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ moduleId }: TestSpecification) => {
      const index = slowest.findIndex((file) => moduleId.endsWith(`/${file}`))
      return index < 0 ? slowest.length : index
    }
    return sorted.sort((one, other) => place(one) - place(other))
  }
}
