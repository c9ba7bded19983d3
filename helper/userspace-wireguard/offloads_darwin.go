package main

// offloads returns none: the library has them for Linux alone.
func offloads() []string { return nil }
