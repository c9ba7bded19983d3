import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { inWindow, settled } from '../hooks.testing'
import { useFetched } from './queries'

const ok = (name: string, cachedAt?: number) => ({
  ok: true,
  value: { data: { orgId: '7', name }, cachedAt },
})
const failed = (code: string) => ({ ok: false, error: { code, message: '' } })

/** Fetches an organization with these answers by the test. */
function open(instanceId = 'first') {
  const answers: ((result: unknown) => void)[] = []
  const wrapper = inWindow(() => new Promise((resolve) => answers.push(resolve)))
  const view = () =>
    renderHook(
      (props) => {
        const input = { instanceId: props.instanceId, which: { by: 'current' } } as const
        const { data, error, isFetching, refetch } = useFetched('showOrganization', input)
        return { data, error, isFetching, refetch }
      },
      { initialProps: { instanceId }, wrapper },
    )
  return {
    view,
    answers,
    answer: (index: number, result: unknown) => settled(() => answers[index]?.(result)),
  }
}

it('ignores a late answer to an earlier input', async () => {
  const { view, answer } = open()
  const { result, rerender } = view()
  rerender({ instanceId: 'second' })
  await answer(1, ok('second'))
  await answer(0, ok('first'))
  expect(result.current).toMatchObject({ data: { data: { name: 'second' } }, isFetching: false })
})

it('replaces a request that is under way, such as after the credentials changed', async () => {
  const { view, answers, answer } = open()
  const { result } = view()
  await settled(() => void result.current.refetch())
  expect(answers).toHaveLength(2)
  await answer(1, ok('with the new ones'))
  await answer(0, failed('organizations/unauthorized'))
  expect(result.current).toMatchObject({ data: { data: { name: 'with the new ones' } }, error: null })
})

it('keeps its data while the service fails, and drops it when access is denied', async () => {
  const { view, answer } = open()
  const { result } = view()
  await answer(0, ok('secret'))
  await settled(() => void result.current.refetch())
  await answer(1, failed('http/unreachable'))
  expect(result.current).toMatchObject({
    data: { data: { name: 'secret' } },
    error: { report: { code: 'http/unreachable' } },
  })
  await settled(() => void result.current.refetch())
  await answer(2, failed('organizations/forbidden'))
  expect(result.current).toMatchObject({
    data: null,
    error: { report: { code: 'organizations/forbidden' } },
  })
  await settled(() => void result.current.refetch())
  expect(result.current, 'until the answer').toMatchObject({
    isFetching: true,
    error: { report: { code: 'organizations/forbidden' } },
  })
})

it('fetches once for several visits, and again after a failure', async () => {
  const { view, answers, answer } = open()
  const first = view()
  await answer(0, ok('one'))
  first.unmount()
  const second = view()
  expect(second.result.current.data).toMatchObject({ data: { name: 'one' } })
  expect(answers).toHaveLength(1)
  await settled(() => void second.result.current.refetch())
  await answer(1, failed('http/unreachable'))
  await settled(() => window.dispatchEvent(new Event('visibilitychange')))
  expect(answers, 'in front again').toHaveLength(2)
  second.unmount()
  view()
  expect(answers).toHaveLength(3)
})

it("fetches again periodically while the data is from main's cache", async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  // Also while the window isn't shown.
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { view, answers, answer } = open()
  const { result } = view()
  await answer(0, ok('old', 1234))
  expect(answers).toHaveLength(1)
  act(() => {
    vi.advanceTimersByTime(10_000)
  })
  expect(answers).toHaveLength(2)
  await answer(1, ok('new'))
  expect(result.current.data).toMatchObject({ data: { name: 'new' } })
  act(() => {
    vi.advanceTimersByTime(60_000)
  })
  expect(answers).toHaveLength(2)
})
