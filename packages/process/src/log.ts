import { type Logger, pino } from 'pino'
import { errorForLog } from './error-for-log.ts'

export type Log = Logger

/** JSON lines on standard error; `redact` keeps secrets out of whatever is logged. */
export function createLog(name: string, level = process.env.LOG_LEVEL ?? 'info'): Log {
  return pino(
    {
      name,
      level,
      serializers: { err: errorForLog },
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

/** Node would print an error that nobody caught with all it carries; as a line of the log it says what errors may say. */
export function endOnDefect(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a defect has ended this process')
    process.exit(1)
  })
}

export const silentLog: Log = pino({ level: 'silent' })
