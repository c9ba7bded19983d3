import { TrafficBlock } from './traffic-block'

/** Prints whether the kill switch blocks this process, with the record at the path of its argument. */
process.stdout.write(String(await new TrafficBlock({ record: process.argv[2] ?? '' }).check()))
