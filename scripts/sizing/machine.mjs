/**
 * What one machine gives that has everything on it. Computed: the bench has seen two cores. Work is spread over as many processes as it takes,
 * but for Redis, which does one thing at a time.
 */
import { busyShare } from './size.mjs'

/** @typedef {ReturnType<typeof import('./costs.mjs').readWorks>[number]} Work */

/**
 * @param {readonly Work[]} works with the CPU each takes, µs, of all processes with Redis and of Redis alone
 * @param {readonly number[]} cores of each machine
 */
export function machinesOf(works, cores) {
  return works.map(({ what, us, account }) => {
    const ofRedis = (busyShare.redis * 1e6) / us.redis
    const perCore = (busyShare.process * 1e6) / us.all
    return {
      what,
      perSecond: cores.map((many) => Math.min(many * perCore, ofRedis)),
      /** on so many cores Redis is what limits */
      redisFrom: Math.ceil(ofRedis / perCore),
      /** what the provider usually lets an account do a second, whatever stands behind it */
      account,
    }
  })
}

const rounded = (value) => String(Number(value.toPrecision(2))).replace(/\B(?=(\d{3})+$)/g, ' ')

/** A Markdown table. */
export function machinesTable(machines, cores) {
  const row = (cells) => `| ${cells.join(' | ')} |`
  const head = ['a second', ...cores.map((many) => `${many} cores`), 'Redis limits from', 'one account may']
  return [
    row(head),
    row(head.map((_cell, index) => (index === 0 ? '---' : '---:'))),
    ...machines.map(({ what, perSecond, redisFrom, account }) =>
      row([what, ...perSecond.map(rounded), `${redisFrom} cores`, account === undefined ? '–' : rounded(account)]),
    ),
  ].join('\n')
}
