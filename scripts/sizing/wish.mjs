/** What a size is asked for: the arguments of the command. */
import { parseArgs } from 'node:util'
import { channels } from './channels.mjs'

const levels = ['master', 'replica', 'all']

const usage = `npm run sizing -- --people COUNT --peak COUNT [options], or --cores 2,4,8
  --people    in the directory
  --peak      messages for one person each, a second, accepted and delivered
  --minutes   within which a message to everybody is to be out; 10
  --daily     messages for one person each, a day; as many as people
  --to-all    messages to everybody, a day; 1
  --days      they are kept (RETENTION_DAYS); 90
  --channels  each person has, and each message goes out on, of ${channels.join(', ')}; vk
  --bulk      they are accepted by many a call, not one by one
  --durability  REDIS_DURABILITY: master, replica or all; master where one Redis does it, else replica
  --cores     of machines: what each of them gives
  --json      as JSON`

/** @throws {Error} that says what is wrong */
export function readWish(args) {
  const option = (name) => [name, { type: 'string' }]
  const names = ['people', 'peak', 'minutes', 'daily', 'to-all', 'days', 'channels', 'durability', 'cores']
  const options = { ...Object.fromEntries(names.map(option)), bulk: { type: 'boolean' }, json: { type: 'boolean' } }
  const { values } = parseArgs({ args, options })
  const json = values.json === true
  if (values.cores !== undefined) {
    if (!/^[1-9]\d{0,3}(,[1-9]\d{0,3})*$/.test(values.cores))
      throw new Error(`--cores takes whole numbers above 0, as 2,4,8, not "${values.cores}"`)
    return { json, cores: values.cores.split(',').map(Number) }
  }
  const count = (name, otherwise) => {
    const given = values[name] ?? otherwise
    if (given === undefined) throw new Error(`say --${name}\n${usage}`)
    if (!/^\d+(\.\d+)?$/.test(given) || (name === 'minutes' && Number(given) === 0))
      throw new Error(`--${name} takes a number, not "${given}"`)
    return Number(given)
  }
  const on = (values.channels ?? 'vk').split(',')
  const strange = on.find((channel) => !channels.includes(channel))
  if (strange !== undefined) throw new Error(`--channels takes ${channels.join(', ')}, not "${strange}"`)
  const { durability } = values
  if (durability !== undefined && !levels.includes(durability))
    throw new Error(`--durability takes ${levels.join(', ')}, not "${durability}"`)
  const peak = count('peak')
  return {
    json,
    wish: {
      people: count('people'),
      peak,
      minutes: count('minutes', '10'),
      daily: count('daily', values.people),
      toAll: count('to-all', '1'),
      days: count('days', '90'),
      channels: [...new Set(on)],
      bulk: values.bulk === true,
      ...(durability && { durability }),
    },
  }
}
