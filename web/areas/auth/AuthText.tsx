import { Button, Heading, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The heading of a page of the sign-in layout, and what it says. */
export function AuthText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <Heading as="h1" size="2xl">
        {title}
      </Heading>
      <Text color="fg.muted" mt="2" mb="6" role="status">
        {children}
      </Text>
    </>
  )
}

interface ToSignInProps {
  label?: string
  /** The page that comes after it; by default the home page. */
  next?: string
}

export function ToSignIn({ label = 'Go to sign in', next }: ToSignInProps) {
  return (
    <Button asChild colorPalette="accent" w="full">
      <Link to="/signin" search={next ? { next } : {}}>
        {label}
      </Link>
    </Button>
  )
}
