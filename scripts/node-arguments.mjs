/**
 * How node runs a process of the fleet. With a bound it tidies up early, instead of letting its heap grow for as long as the machine
 * has memory: a courier that serves a million people stays a third smaller. The sandbox keeps book of everything, and has no bound.
 * docker-compose.yml says the same.
 */
export const nodeArguments = (folder) => [
  '--enable-source-maps',
  ...(folder === 'sandbox' ? [] : ['--max-old-space-size=1024']),
]
