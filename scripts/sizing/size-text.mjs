/** A size in words. */
import { allowed } from './channels.mjs'
import { masterBytes } from './size.mjs'

const daySeconds = 86_400

const number = (value) =>
  String(value >= 100 ? Math.round(value) : Number(value.toPrecision(2))).replace(
    /\B(?=(\d{3})+$)/g,
    value < 100 ? '' : ' ',
  )
const gigabytes = (value) => `${number(value / 2 ** 30)} GiB`
const timeOf = (seconds) => {
  if (seconds < 120) return `${number(seconds)} s`
  if (seconds < 7_200) return `${number(seconds / 60)} min`
  return seconds < 2 * daySeconds ? `${number(seconds / 3600)} h` : `${number(seconds / daySeconds)} days`
}

const line = (what, many, why) => `${what.padEnd(18)} ${many.padStart(9)}   ${why}`

/** A line each. */
export function sizeText(wish, size) {
  const { cores, data, masters, redisBytes, processes, processBytes, everybodyAfter } = size
  return [
    `${number(wish.people)} people; at the peak ${number(wish.peak)} messages a second for one person each, and one to everybody within ${number(wish.minutes)} min`,
    `(${number(wish.people / wish.minutes / 60)} people a second), all by ${wish.channels.join(' and ')}; ${number(wish.daily)} of the one and ${number(wish.toAll)} of the other a day, kept ${number(wish.days)} days`,
    '',
    line(
      'Redis masters',
      number(masters),
      `${number(cores.redis)} cores of work, and no more than ${gigabytes(masterBytes)} in one`,
    ),
    line(
      'their replicas',
      number(masters * size.replicas),
      `${number(size.replicas)} of each, as durability ${size.durability} has it, with as much memory`,
    ),
    ...(size.isMeasured ? [] : ['what a cluster costs beside that is not in it: npm run bench -- cluster']),
    line(
      'Redis memory',
      gigabytes(redisBytes),
      `${gigabytes(data.people)} of people, ${gigabytes(data.single)} and ${gigabytes(data.toAll)} of messages, and half as much again`,
    ),
    ...Object.entries(processes).map(([name, many]) =>
      line(name, number(many), `${number(cores[name])} cores of work`),
    ),
    line('all processes', gigabytes(processBytes), 'of memory'),
    ...Object.entries(everybodyAfter).map(([channel, seconds]) =>
      line(
        `everybody by ${channel}`,
        timeOf(seconds),
        `by one account that may send to ${number(allowed[channel])} a second`,
      ),
    ),
  ].join('\n')
}
