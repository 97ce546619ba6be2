/**
 * How node runs a process of the fleet. Where very many recipients pass through, what is young is tidied up more often, in a quarter
 * of the room node would take for it: tens of megabytes less for each process. docker-compose.yml says the same.
 */
const small = ['--max-semi-space-size=4']

export const nodeArguments = (folder) => [
  '--enable-source-maps',
  ...(folder === 'queue' || folder === 'couriers' ? small : []),
]
