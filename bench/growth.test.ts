import { describe, expect, it } from 'vitest'
import { seededRandom } from '../mock-server/seed/random'
import { growthOf } from './growth'

const rounds = Array.from({ length: 80 }, (_, round) => round)

/** Noise of this size around zero, the same in each run. */
function noise(size: number): () => number {
  const random = seededRandom(7)
  return () => (random() - 0.5) * size
}

describe('growth over rounds', () => {
  it('is found below the noise of single rounds', () => {
    const by = noise(150)
    const leaking = growthOf(
      rounds.map((round) => 5000 + 4 * round + by()),
      100,
    )
    expect(leaking.isGrowing).toBe(true)
    expect(leaking.perRound).toBeGreaterThan(3)
    expect(leaking.perRound).toBeLessThan(5)
  })

  it('is found in counts that rise by one in some rounds', () => {
    expect(
      growthOf(
        rounds.map((round) => 20 + Math.floor(round / 10)),
        3,
      ).isGrowing,
    ).toBe(true)
  })

  it('is neither noise, nor the first rounds, nor a fall, nor one step', () => {
    const by = noise(400)
    expect(growthOf(rounds.map(by), 100).isGrowing).toBe(false)
    expect(
      growthOf(
        rounds.map((round) => Math.min(round, 20) * 50),
        100,
      ).isGrowing,
    ).toBe(false)
    expect(
      growthOf(
        rounds.map((round) => -round),
        0,
      ).isGrowing,
    ).toBe(false)
    expect(
      growthOf(
        rounds.map((round) => (round < 50 ? 10 : 11)),
        3,
      ).isGrowing,
    ).toBe(false)
  })

  it('needs more rounds than one or two', () => {
    expect(growthOf([], 0).isGrowing).toBe(false)
    expect(growthOf([1, 2], 0)).toMatchObject({ perRound: 1, isGrowing: false })
  })
})
