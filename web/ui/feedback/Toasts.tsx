import { Box, Button, Flex, Stack, Text } from '@chakra-ui/react'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useSnapshot } from 'valtio'
import { close, type Notification, notifications, remove, visibleNotifications } from '../../state/notify.ts'

const EXIT_MS = 150
/** Off the title and the buttons of a dialog: above it on phones, else at the start. */
const besideDialog = { top: { base: '2', md: 'auto' }, insetStart: { md: '6' }, transform: { md: 'none' } }
/** Color, icon and screen reader label of each kind. */
const looks = {
  success: { palette: 'success', Icon: IconCircleCheck, spoken: 'Success' },
  error: { palette: 'danger', Icon: IconAlertTriangle, spoken: 'Error' },
  info: { palette: 'accent', Icon: IconInfoCircle, spoken: 'Info' },
} as const

/**
 * The toast region. Errors are announced immediately, others politely. It is rendered outside the page as a live
 * announcer, so that open dialogs don't hide it from screen readers.
 */
export function Toasts() {
  const { queue } = useSnapshot(notifications) as { queue: readonly Notification[] }
  const visible = visibleNotifications(queue)
  const waiting = queue.length - visible.length
  return createPortal(
    <Stack
      as="section"
      aria-label="Notifications"
      data-live-announcer
      position="fixed"
      // On phones below the bar: what a page asks to press stands in it, or at the bottom.
      top={{ base: '20', md: 'auto' }}
      bottom={{ md: '6' }}
      // The middle is free: chat, settings and the mini-map stand at the end.
      insetStart="50%"
      transform="translateX(-50%)"
      css={{ 'body:has([role$=dialog][data-state=open]) &': besideDialog }}
      w="sm"
      maxW="calc(100vw - 2rem)"
      zIndex="toast"
      gap="2"
    >
      {visible.map((notification) => (
        <Toast key={notification.key} notification={notification} />
      ))}
      {queue.length > 1 && (
        <Button size="xs" variant="surface" alignSelf="end" onClick={() => close()}>
          {waiting > 0 ? `Close all (${waiting} more waiting)` : 'Close all'}
        </Button>
      )}
    </Stack>,
    document.body,
  )
}

function Toast({ notification }: { notification: Notification }) {
  const { key, kind, message, detail, options, action, dismissed } = notification
  const { palette, Icon, spoken } = looks[kind]
  const [held, setHeld] = useState(false)

  useEffect(() => {
    if (dismissed) {
      const timer = setTimeout(() => remove(key), EXIT_MS)
      return () => clearTimeout(timer)
    }
    if (options.persist || held) return
    const timer = setTimeout(() => close(key), options.autoHideDuration)
    return () => clearTimeout(timer)
  }, [key, dismissed, held, options.persist, options.autoHideDuration])

  return (
    <Flex
      role={kind === 'error' ? 'alert' : 'status'}
      colorPalette={palette}
      align="start"
      gap="3"
      bg="bg.panel"
      borderWidth="1px"
      borderInlineStartWidth="4px"
      borderColor="border"
      borderInlineStartColor="colorPalette.solid"
      borderRadius="l2"
      boxShadow="lg"
      ps="3"
      pe="1"
      py="1.5"
      opacity={dismissed ? 0 : 1}
      transition={`opacity ${EXIT_MS}ms`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Box color="colorPalette.fg" py="2" flexShrink="0">
        <Icon size={16} role="img" aria-label={spoken} />
      </Box>
      <Text flex="1" py="1.5" textStyle="sm" overflowWrap="anywhere">
        <Text as="span" display="block">
          {message}
        </Text>
        {detail && (
          <Text as="span" display="block" textStyle="xs" color="fg.muted">
            {detail}
          </Text>
        )}
      </Text>
      {action && (
        <Button
          size="xs"
          variant="outline"
          onClick={() => {
            action.run()
            close(key)
          }}
        >
          {action.label}
        </Button>
      )}
      <Button size="xs" variant="ghost" px="0" aria-label="Dismiss" onClick={() => close(key)}>
        <IconX aria-hidden />
      </Button>
    </Flex>
  )
}
