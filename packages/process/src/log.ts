import { type Logger, pino } from 'pino'

export type Log = Logger

/** JSON lines on standard error; `redact` keeps secrets out of whatever is logged. */
export function createLog(name: string, level = process.env.LOG_LEVEL ?? 'info'): Log {
  return pino(
    {
      name,
      level,
      redact: {
        paths: [
          'token',
          'apiKey',
          'password',
          'secret',
          'session',
          '*.token',
          '*.apiKey',
          '*.password',
          '*.secret',
          '*.session',
          'req.headers.authorization',
        ],
        censor: '[hidden]',
      },
    },
    pino.destination({ dest: 2, sync: true }),
  )
}

/** What this process is called: in logs, in Redis, by whoever started it. */
export const processName = (otherwise: string): string => process.env.PROCESS_NAME || otherwise

export const silentLog: Log = pino({ level: 'silent' })
