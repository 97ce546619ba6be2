/** What machines of other sizes than the one that was measured give: computed from `costs`. */
import { readWorks } from '../../../scripts/sizing/costs.mjs'
import { machinesOf, machinesTable } from '../../../scripts/sizing/machine.mjs'
import { busyShare } from '../../../scripts/sizing/size.mjs'

const cores = [2, 4, 8]
const percent = (share: number) => `${share * 100} %`

export function machinesText(results: Parameters<typeof readWorks>[0]): string[] {
  return [
    '## What one machine gives',
    '',
    `Computed from \`costs\`, and measured by nobody: all of ours on one machine, as many processes of each as it takes, its cores busy ${percent(busyShare.process)} and Redis
${percent(busyShare.redis)} of one core at most, for it does one thing at a time. Until then the cores are what is missing; after that, Redis, and more of them help
(several masters, see \`cluster\`). What an account may send is the provider's to say, and mostly decides.`,
    '',
    machinesTable(machinesOf(readWorks(results), cores), cores),
    '',
    '`npm run sizing -- --cores 2,4,8` says the same; [docs/sizing.md](../../docs/sizing.md) how many machines it takes.',
    '',
  ]
}
