/** Returns a function that runs tasks in sequence, in the order of its calls. A failed task does not stop later ones. */
export function serial(): <T>(task: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.catch(() => undefined)
    return result
  }
}
