// 0 is the group of this process, and -1 all processes: with the id of a process that wasn't found, Number('') is 0, and a test would end
// everything that its own test run belongs to, without a word.
const checked = Symbol.for('causeway.checked-kill')

// The files of a worker share `process`.
if (!(checked in process)) {
  const kill = process.kill.bind(process)
  Object.defineProperty(process, checked, { value: true })
  process.kill = (pid, signal) => {
    if (!(pid > 0 || pid < -1)) throw new Error(`No process has the id ${pid}.`)
    return kill(pid, signal)
  }
}
